import { h, render } from "preact";
import { Channel } from "../common/host";
import type { FromDoctorPage, ToDoctorPage } from "../common/messages";
import { speakAsEditor } from "../common/page-texts";
import { DoctorPage } from "./page";

speakAsEditor();
render(h(DoctorPage, { channel: new Channel<ToDoctorPage, FromDoctorPage>() }), document.body);
