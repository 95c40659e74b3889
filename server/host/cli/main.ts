import { startCommand } from "../start-bundle";

startCommand();
