import { expect, test } from "vitest";
import { flagValues } from "../../../server/core/language/cuda/launch/flag-values";

test.each([
  ["if (!alive[i]) return;", 1],
  ["if (i < n && alive[order[i]]) x[i] = 0;", 1],
  ["x[i] = i < n && alive[i] ? 1 : 0;", 1],
  ["int a = alive[i]; if (a == 2) x[i] = 1; else if (a == 3) x[i] = 2;", 3],
  ["switch (alive[i]) { case 1: break; case 4: break; default: break; }", 4],
  ["if (alive[i] != 0.0f) x[i] = 1;", 1],
  ["unsigned a = alive[i]; ok = ok && a < 4u; code = code * 4 + (a & 3u);", 4],
  ["const int a = __ldg(&alive[i]); if (a >= 5) return;", 5],
  ["int a = (int)alive[i]; if (a > 2) return;", 3],
  ["if (alive[i] <= 9) x[i] = 1;", 10],
  ["if (alive[i] < limit) x[i] = 1;", undefined],
  ["if (alive[i] < 0) x[i] = 1;", undefined],
  ["if (alive[i] > 0) x[i] = 1;", undefined],
  ["if (alive[i] < 2.5f) x[i] = 1;", undefined],
  ["x[i] = alive[i] & 3;", undefined],
  ["if (alive[i] < 4) x[i] = alive[i];", undefined],
  ["if (alive[i]) x[i] = 2 * alive[i];", undefined],
  ["if (test(alive[i])) x[i] = 1;", undefined],
  ["if (alive[i] == -1) x[i] = 1;", undefined],
  ["if (alive[i] == 300) x[i] = 1;", undefined],
  ["x[alive[i]] = 1;", undefined],
  ["// if (alive[i])\nx[i] = 1;", undefined],
])("%s asks for flags up to %s", (body, most) => {
  expect(flagValues(body, ["alive", "x"], new Map()).get("alive")).toBe(most);
});
