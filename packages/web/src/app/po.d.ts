declare module '*.po?part=first' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}
