import { h, render } from "preact";
import { Channel } from "../common/host";
import type { FromTrajectoryPage, ToTrajectoryPage } from "../common/messages";
import { speakAsEditor } from "../common/page-texts";
import { TrajectoryPage } from "./page";

speakAsEditor();
render(h(TrajectoryPage, { channel: new Channel<ToTrajectoryPage, FromTrajectoryPage>() }), document.body);
