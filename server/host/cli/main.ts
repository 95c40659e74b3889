import { startCommand } from "../start-bundle";

startCommand("command-line.js");
