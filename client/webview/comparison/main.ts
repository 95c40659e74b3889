import { h, render } from "preact";
import { Channel } from "../common/host";
import type { FromComparisonPage, ToComparisonPage } from "../common/messages";
import { ComparisonPage } from "./page";

render(
  h(ComparisonPage, {
    channel: new Channel<ToComparisonPage, FromComparisonPage>(),
  }),
  document.body,
);
