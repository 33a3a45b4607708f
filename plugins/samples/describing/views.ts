/** How a page may draw a part of an output. Names are those of the members of the value, or of its entries. */
export type View =
  /** `{content_type, data_base64}`. */
  | { readonly kind: 'image' }
  /** A longer text. */
  | { readonly kind: 'text' }
  /** A list of objects: one row each. */
  | { readonly kind: 'table' }
  /** A list of objects: lines over `x`, a band between two of them, and entries that stand out where `mark` is true. */
  | {
      readonly kind: 'series';
      readonly x: string;
      readonly lines: readonly string[];
      readonly band?: readonly [lower: string, upper: string];
      readonly mark?: string;
    }
  /** The nodes of a decision tree, in a frame of this plugin. */
  | { readonly kind: 'samples:decision-tree' }
  /** A list of objects: a bar each. */
  | { readonly kind: 'scores'; readonly label: string; readonly score: string }
  /** A list of objects: a swatch each; `colour` is `#rrggbb`. */
  | { readonly kind: 'palette'; readonly colour: string; readonly share: string }
  /** A list of objects: dots in the plane, coloured by `group`, joined in order when `path` is set. */
  | {
      readonly kind: 'points';
      readonly x: string;
      readonly y: string;
      readonly label?: string;
      readonly group?: string;
      readonly path?: 'open' | 'closed';
    };

/** The schema option that carries a view. */
export function shownAs(view: View): { readonly 'x-view': View } {
  return { 'x-view': view };
}
