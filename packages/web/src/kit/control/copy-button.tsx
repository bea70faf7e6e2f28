import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from './button.tsx'

type CopyButtonProps = {
  text: string
  primary?: boolean
  autoFocus?: boolean
  children: string
}

/** Copies a text and confirms it until the text changes. */
export function CopyButton({ text, primary = false, autoFocus = false, children }: CopyButtonProps) {
  const { t } = useLingui()
  const [copyState, setCopyState] = useState({ text, copied: false })
  if (copyState.text !== text) setCopyState({ text, copied: false })
  const { copied: isCopied } = copyState
  const copyToClipboard = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopyState({ text, copied: true }),
      () => setCopyState({ text, copied: false }),
    )
  return (
    <span role="status">
      <Button
        kind={primary ? 'primary' : 'quiet'}
        small={!primary}
        autoFocus={autoFocus}
        icon={isCopied ? 'check' : 'copy'}
        onPress={() => void copyToClipboard()}
      >
        {isCopied ? t`Copied` : children}
      </Button>
    </span>
  )
}
