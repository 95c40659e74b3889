export { castsNamed } from "./casts";
export { namedAnew } from "./named-anew";
export { referencesFollowed } from "./references";
export { sameNumbers } from "./same-numbers";
