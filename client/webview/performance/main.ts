import { h, render } from "preact";
import { Channel } from "../common/host";
import type { FromPerformancePage, ToPerformancePage } from "../common/messages";
import { PerformancePage } from "./page";

render(h(PerformancePage, { channel: new Channel<ToPerformancePage, FromPerformancePage>() }), document.body);
