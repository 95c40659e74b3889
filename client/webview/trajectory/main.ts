import { h, render } from "preact";
import { Channel } from "../shared/host";
import type { FromTrajectoryPage, ToTrajectoryPage } from "../shared/messages";
import { TrajectoryPage } from "./page";

render(h(TrajectoryPage, { channel: new Channel<ToTrajectoryPage, FromTrajectoryPage>() }), document.body);
