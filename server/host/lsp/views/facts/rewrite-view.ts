import { retold, shown } from "../../handshake/user-language";
import type { LineRewrite } from "../../../../core/words/rule-text";
import type { RewriteView } from "../../../../protocol/views";

/** Rewrites as links name them. */
export const toRewriteViews = shown((rewrites: readonly LineRewrite[]): readonly RewriteView[] =>
  rewrites.map(({ title, strategy }) => ({ title: retold(title), strategy })),
);
