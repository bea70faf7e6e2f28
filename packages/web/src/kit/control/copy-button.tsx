import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from './button.tsx'

type Props = {
  text: string
  /** Copying is what comes next here. */
  primary?: boolean
  children: string
}

/** Copies a text and says so, until it has another text. */
export function CopyButton({ text, primary = false, children }: Props) {
  const { t } = useLingui()
  const [last, setLast] = useState({ text, copied: false })
  if (last.text !== text) setLast({ text, copied: false })
  const { copied } = last
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setLast({ text, copied: true }),
      () => setLast({ text, copied: false }),
    )
  return (
    <span role="status">
      <Button
        kind={primary ? 'primary' : 'quiet'}
        small={!primary}
        icon={copied ? 'check' : 'copy'}
        onPress={() => void copy()}
      >
        {copied ? t`Copied` : children}
      </Button>
    </span>
  )
}
