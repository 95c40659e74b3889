import { expect, test } from "vitest";
import { hostsIn } from "../../client/src/commands/product/ssh-hosts";

const cases: readonly [what: string, configuration: string, hosts: readonly string[]][] = [
  ["nothing", "", []],
  ["one host", "Host gpu-box\n  HostName 10.0.0.7\n  User me\n", ["gpu-box"]],
  ["several in one line, and once each", "Host a b\nhost c a\n", ["a", "b", "c"]],
  ["the form with an equals sign, and quotes", 'Host=lab\nHost "lab-2"\n', ["lab", "lab-2"]],
  ["no patterns and no exceptions", "Host *\nHost *.lab !old.lab gpu?\nMatch host z\n", []],
  ["no comments", "# Host not-this\nHost this # and not that\r\n", ["this"]],
];

test.each(cases)("an ssh configuration: %s", (_, configuration, hosts) => {
  expect(hostsIn(configuration)).toEqual(hosts);
});
