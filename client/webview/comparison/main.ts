import { h, render } from "preact";
import { Channel } from "../shared/host";
import type { FromComparisonPage, ToComparisonPage } from "../shared/messages";
import { ComparisonPage } from "./page";

render(
  h(ComparisonPage, {
    channel: new Channel<ToComparisonPage, FromComparisonPage>(),
  }),
  document.body,
);
