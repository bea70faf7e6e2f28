import { useLingui } from '@lingui/react/macro'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import type { SkippedStep } from '@clearway/contract/monitor/script/recorder/model.ts'
import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import { useState } from 'react'
import { FileButton } from '../../../kit/form/file-button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'
import styles from './text-field.module.css'

type ImportRefusal = { kind: 'refused'; text: string } | { kind: 'skipped'; steps: readonly SkippedStep[] } | null

export function ScriptSources({ type, onText }: { type: ScriptType; onText: (text: string) => void }) {
  const { t } = useLingui()
  const [importRefusal, setImportRefusal] = useState<ImportRefusal>(null)
  const [secretNames, setSecretNames] = useState<readonly string[]>([])
  const invalidFileText = t`Please upload a valid script file.`
  const readTextFile = async ([file]: readonly File[]): Promise<string | null> => {
    if (!file || file.size > defaultLimits.scriptLength * 4) return null
    const fileText = await file.text()
    // Binary content is not a script, regardless of the file name.
    return fileText.includes('\0') || fileText.includes('\uFFFD') ? null : fileText
  }
  const uploadScript = async (files: readonly File[]) => {
    const fileText = await readTextFile(files)
    setImportRefusal(fileText === null ? { kind: 'refused', text: invalidFileText } : null)
    setSecretNames([])
    if (fileText !== null) onText(fileText)
  }
  const importChromeRecording = async (files: readonly File[]) => {
    const fileText = await readTextFile(files)
    const { importRecording } = await import('@clearway/contract/monitor/script/recorder/model.ts')
    const importedRecording = fileText === null ? null : importRecording(fileText, type)
    if (!importedRecording?.ok)
      return setImportRefusal({
        kind: 'refused',
        text: t`This is not a JSON export from Chrome's Recorder.`,
      })
    onText(importedRecording.text)
    setImportRefusal(importedRecording.skipped.length > 0 ? { kind: 'skipped', steps: importedRecording.skipped } : null)
    setSecretNames(importedRecording.variables)
  }
  return (
    <div className={layout.tight}>
      <div className={styles.sources}>
        <FileButton accept=".json,.yaml,.yml" onFiles={(files) => void uploadScript(files)}>
          {t`Upload a file…`}
        </FileButton>
        <FileButton accept=".json" onFiles={(files) => void importChromeRecording(files)}>
          {t`Import a recording of Chrome…`}
        </FileButton>
      </div>
      <div role="status">
        {secretNames.length > 0 && (
          <Notice kind="info" title={t`Passwords of the recording are now variables`}>
            <p>{t`Add their values below: ${secretNames.join(', ')}`}</p>
          </Notice>
        )}
        {importRefusal?.kind === 'refused' && <Notice kind="error" title={importRefusal.text} />}
        {importRefusal?.kind === 'skipped' && (
          <Notice kind="caution" title={t`Some steps of the recording have no counterpart and were skipped`}>
            <p>
              {importRefusal.steps.map(({ step, type: kind }) => (
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
