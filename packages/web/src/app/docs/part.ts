import type { MessageDescriptor } from '@lingui/core'

/** Steps in their order, single remarks, or words with their meaning. */
export type DocsPart =
  | { kind: 'steps' | 'list'; title: MessageDescriptor; items: readonly MessageDescriptor[] }
  | {
      kind: 'terms'
      title: MessageDescriptor
      items: readonly { name: MessageDescriptor; text: MessageDescriptor }[]
    }
export type DocsPage = { title: MessageDescriptor; parts: readonly DocsPart[] }
