import type { MessageDescriptor } from '@lingui/core'

/** Ordered steps, a list of remarks, or terms with their meaning. */
export type DocsPart =
  | { kind: 'steps' | 'list'; title: MessageDescriptor; items: readonly MessageDescriptor[] }
  | { kind: 'terms'; title: MessageDescriptor; items: readonly { name: MessageDescriptor; text: MessageDescriptor }[] }
export type DocsPage = { title: MessageDescriptor; parts: readonly DocsPart[] }
