export { CallerState } from "./caller-state";
export { HeapGrowth } from "./heap-growth";
export { KeptGrowth } from "./kept-growth";
export { OtherArchitectures } from "./other-architectures";
export { ShapesInTurn } from "./shapes-in-turn";
export { SignsOfNan } from "./signs-of-nan";
export { TriedConfigurations } from "./tried-configurations";
export { TunedElsewhere } from "./tuned-elsewhere";
