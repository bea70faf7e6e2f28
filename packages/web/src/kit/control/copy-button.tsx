import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from './button.tsx'

/** Copies a text and says so. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const { t } = useLingui()
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <span role="status">
      <Button kind="quiet" small icon={copied ? 'check' : 'copy'} onPress={() => void copy()}>
        {copied ? t`Copied` : children}
      </Button>
    </span>
  )
}
