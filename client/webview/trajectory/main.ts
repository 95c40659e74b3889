import { h, render } from "preact";
import { Channel } from "../common/host";
import type { FromTrajectoryPage, ToTrajectoryPage } from "../common/messages";
import { TrajectoryPage } from "./page";

render(h(TrajectoryPage, { channel: new Channel<ToTrajectoryPage, FromTrajectoryPage>() }), document.body);
