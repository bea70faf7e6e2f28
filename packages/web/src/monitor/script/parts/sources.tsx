import { useLingui } from '@lingui/react/macro'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import type { SkippedStep } from '@clearway/contract/monitor/script/recorder/model.ts'
import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import { useState } from 'react'
import { FileButton } from '../../../kit/form/file-button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'
import styles from './text-field.module.css'

type Refusal = { kind: 'refused'; text: string } | { kind: 'skipped'; steps: readonly SkippedStep[] } | null

/** Where a script can come from besides typing: a file, or a recording of Chrome's developer tools. */
export function ScriptSources({ type, onText }: { type: ScriptType; onText: (text: string) => void }) {
  const { t } = useLingui()
  const [refusal, setRefusal] = useState<Refusal>(null)
  const valid = t`Please upload a valid script file.`
  const read = async ([file]: readonly File[]): Promise<string | null> => {
    if (!file || file.size > defaultLimits.scriptLength * 4) return null
    const text = await file.text()
    // What is no text is no script, whatever its name says.
    return text.includes('\0') || text.includes('\uFFFD') ? null : text
  }
  const upload = async (files: readonly File[]) => {
    const text = await read(files)
    setRefusal(text === null ? { kind: 'refused', text: valid } : null)
    if (text !== null) onText(text)
  }
  const record = async (files: readonly File[]) => {
    const text = await read(files)
    const { importRecording } = await import('@clearway/contract/monitor/script/recorder/model.ts')
    const recording = text === null ? null : importRecording(text, type)
    if (!recording?.ok)
      return setRefusal({
        kind: 'refused',
        text: t`This is not a JSON export from Chrome's Recorder.`,
      })
    onText(recording.text)
    setRefusal(recording.skipped.length > 0 ? { kind: 'skipped', steps: recording.skipped } : null)
  }
  return (
    <div className={layout.tight}>
      <div className={styles.sources}>
        <FileButton accept=".json,.yaml,.yml" onFiles={(files) => void upload(files)}>
          {t`Upload a file…`}
        </FileButton>
        <FileButton accept=".json" onFiles={(files) => void record(files)}>
          {t`Import a recording of Chrome…`}
        </FileButton>
      </div>
      <div role="status">
        {refusal?.kind === 'refused' && <Notice kind="error" title={refusal.text} />}
        {refusal?.kind === 'skipped' && (
          <Notice kind="caution" title={t`Some steps of the recording have no counterpart and were skipped`}>
            <p>
              {refusal.steps.map(({ step, type: kind }) => (
                <span key={step}>
                  {t`Step ${step}`}: <code translate="no">{kind}</code>{' '}
                </span>
              ))}
            </p>
          </Notice>
        )}
      </div>
    </div>
  )
}
