import { h, render } from "preact";
import { Channel } from "../common/host";
import type { FromPerformancePage, ToPerformancePage } from "../common/messages";
import { speakAsEditor } from "../common/page-texts";
import { PerformancePage } from "./page";

speakAsEditor();
render(h(PerformancePage, { channel: new Channel<ToPerformancePage, FromPerformancePage>() }), document.body);
