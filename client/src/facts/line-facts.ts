import {
  type DecorationOptions,
  Disposable,
  l10n,
  MarkdownString,
  OverviewRulerLane,
  Range,
  type TextDocument,
  type TextEditor,
  type TextEditorDecorationType,
  ThemeColor,
  Uri,
  window,
  workspace,
} from "vscode";
import type { LineFactsView } from "../../../server/protocol/views";
import { linesUnderReview } from "../review/locate";
import type { ReviewStore } from "../review/review-store";
import { escapeMarkdown } from "../markdown";
import { kernelLinks, ruleLinks } from "./kernel-links";
import { concernsSettings, readSettings } from "../settings";
import type { FactsStore, PresentFacts } from "./facts-store";
import { fittedText } from "./fitted-text";
import { heatLevels, heatOf, type Tone, toneOf, tones } from "./heat";

/**
 * Profiler facts as dim text at the ends of lines, with every counter in the hover and a bar in the gutter
 * that grows with the line's share of the cost. Facts of an edited text are dimmed.
 */
export class LineFacts implements Disposable {
  private readonly byTone: Readonly<Record<Tone, TextEditorDecorationType>> = {
    quiet: afterLine("kernelwright.factForeground"),
    warm: afterLine("kernelwright.faultForeground"),
    hot: afterLine("kernelwright.hotForeground"),
  };
  private readonly stale = afterLine("disabledForeground", "italic");
  private readonly heat = heatLevels.map(barOf);
  private readonly subscriptions: Disposable;

  constructor(
    private readonly store: FactsStore,
    private readonly reviews: ReviewStore,
  ) {
    const showAll = (): void => window.visibleTextEditors.forEach((editor) => this.show(editor));
    this.subscriptions = Disposable.from(
      ...Object.values(this.byTone),
      this.stale,
      ...this.heat,
      store.onDidChange((address) =>
        window.visibleTextEditors
          .filter(({ document }) => document.uri.toString() === address)
          .forEach((editor) => this.show(editor)),
      ),
      window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.show(editor))),
      workspace.onDidChangeConfiguration((event) => {
        if (concernsSettings(event)) showAll();
      }),
      reviews.onDidChange(showAll),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private show(editor: TextEditor): void {
    const { document } = editor;
    const present = this.store.of(document.uri);
    const lines = (present?.lines ?? []).filter(({ line }) => line >= 1 && line <= document.lineCount);
    const isStale = present?.isStale === true;
    const { inlineFacts } = readSettings(document.uri);
    // Behind a line that is under review stands what would replace it.
    const covered = inlineFacts ? linesUnderReview(this.reviews, document) : new Set<number>();
    const told = (wanted: boolean, tone?: Tone): DecorationOptions[] =>
      present === undefined || !wanted
        ? []
        : lines
            .filter((line) => line.text !== "" && (tone === undefined || toneOf(line) === tone))
            .map((line) =>
              decoration(document, line, { present, isInline: inlineFacts && !covered.has(line.line) }),
            );
    for (const tone of tones) editor.setDecorations(this.byTone[tone], told(!isStale, tone));
    editor.setDecorations(this.stale, told(isStale));
    this.heat.forEach((bar, level) => {
      const hot = isStale ? [] : lines.filter(({ share }) => heatOf(share) === level);
      editor.setDecorations(
        bar,
        hot.map(({ line }) => new Range(line - 1, 0, line - 1, 0)),
      );
    });
  }
}

function afterLine(color: string, fontStyle = "normal"): TextEditorDecorationType {
  return window.createTextEditorDecorationType({
    after: { color: new ThemeColor(color), margin: "0 0 0 3em", fontStyle },
  });
}

/** Its length says the same as its colour, for those who see no colours. */
function barOf({ width, color }: (typeof heatLevels)[number]): TextEditorDecorationType {
  const shape = `<rect x="0" y="2" width="${width}" height="12" rx="1" fill="${color}"/>`;
  const image = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">${shape}</svg>`;
  return window.createTextEditorDecorationType({
    gutterIconPath: Uri.parse(`data:image/svg+xml;base64,${Buffer.from(image).toString("base64")}`),
    gutterIconSize: "contain",
    overviewRulerColor: color,
    overviewRulerLane: OverviewRulerLane.Right,
  });
}

function decoration(
  document: TextDocument,
  { line, text, detail, rewrites = [] }: LineFactsView,
  { present, isInline }: { readonly present: PresentFacts; readonly isInline: boolean },
): DecorationOptions {
  const { facts, isStale } = present;
  const { range, text: source } = document.lineAt(line - 1);
  const contentText = fittedText(text, source, isStale ? `${l10n.t("before your edits:")} ` : "");
  const origin = isStale ? `${l10n.t("Before your edits.")} ${facts.origin}` : facts.origin;
  return {
    range: new Range(range.start, range.end),
    hoverMessage: [
      // In front, since a hover shows ten lines.
      ...(isStale || rewrites.length === 0 ? [] : [ruleLinks(facts, rewrites)]),
      new MarkdownString(`${detail}\n\n${escapeMarkdown(origin)}`),
      ...(facts.kernel === "" ? [] : [kernelLinks(facts)]),
    ],
    ...(isInline && { renderOptions: { after: { contentText } } }),
  };
}
