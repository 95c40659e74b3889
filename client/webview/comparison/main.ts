import { h, render } from "preact";
import { Channel } from "../common/host";
import type { FromComparisonPage, ToComparisonPage } from "../common/messages";
import { speakAsEditor } from "../common/page-texts";
import { ComparisonPage } from "./page";

speakAsEditor();
render(
  h(ComparisonPage, {
    channel: new Channel<ToComparisonPage, FromComparisonPage>(),
  }),
  document.body,
);
