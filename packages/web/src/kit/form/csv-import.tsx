import type { MessageDescriptor } from '@lingui/core'
import { Plural, useLingui } from '@lingui/react/macro'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { useState } from 'react'
import { isConflict } from '../client/refusal.ts'
import { Button } from '../control/button.tsx'
import { CopyButton } from '../control/copy-button.tsx'
import layout from '../page/layout.module.css'
import { ErrorCard, Notice } from '../page/states.tsx'
import type { Column } from '../table/table.tsx'
import { DataTable } from '../table/table.tsx'
import { useFormats } from '../text/format.ts'
import styles from './csv-import.module.css'
import { FileButton } from './file-button.tsx'

type Fault = { line: number; code: string; value: string }
type Line = { line: number }
type Refused<F extends Fault> = { success: false; errors: readonly F[] }
/** The version of what the lines change, where there is one, goes back with the file. */
type Taken<L extends Line> = { success: true; lines: readonly L[]; version?: number | undefined }
type Sent = { filename: string; content: string; check?: boolean | undefined; version?: number | undefined }
const mostShown = 200

type Props<F extends Fault, L extends Line, T extends Taken<L>> = {
  /** What the file has to contain. */
  about: string
  example: string
  upload: UseMutationResult<Refused<F> | T, Error, Sent>
  faultText: (fault: F) => MessageDescriptor
  onSaved: (reply: T) => void
  /** What the lines are, and their columns after their number. */
  caption: string
  columns: readonly Column<L>[]
  /** How many there are, in a sentence. */
  Summary: ComponentType<{ lines: readonly L[] }>
  save: string
  /** What came of it, once it is saved. */
  result?: ReactNode
}

/** Takes a CSV file: what becomes of every line is seen before anything is saved. */
export function CsvImport<F extends Fault, L extends Line, T extends Taken<L>>(props: Props<F, L, T>) {
  const { about, example, upload, faultText, onSaved, result } = props
  const { t } = useLingui()
  const [checked, setChecked] = useState<(Sent & { reply: Refused<F> | T }) | null>(null)
  const [isOutdated, setIsOutdated] = useState(false)
  const check = (body: Pick<Sent, 'filename' | 'content'>) =>
    upload.mutate({ ...body, check: true }, { onSuccess: (reply) => setChecked({ ...body, reply }) })
  const take = async ([file]: readonly File[]) => {
    if (!file) return
    setChecked(null)
    setIsOutdated(false)
    check({ filename: file.name.slice(-255), content: await file.text() })
  }
  const save = ({ filename, content, version }: Sent) =>
    upload.mutate(
      { filename, content, ...(version === undefined ? {} : { version }) },
      {
        onSuccess: (reply) => {
          // Something was changed between the look and the saving.
          setChecked(reply.success ? null : { filename, content, reply })
          setIsOutdated(false)
          if (reply.success) onSaved(reply)
        },
        onError: (error) => {
          if (!isConflict(error)) return
          setIsOutdated(true)
          check({ filename, content })
        },
      },
    )
  return (
    <div className={layout.stack}>
      <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`File`}>
        <p>{about}</p>
        <pre className={styles.example} translate="no" tabIndex={0} role="region" aria-label={t`Example`}>
          {example}
        </pre>
        <div>
          <FileButton accept=".csv,text/csv" onFiles={(files) => void take(files)}>
            {checked ? t`Choose another file…` : t`Choose a file…`}
          </FileButton>
        </div>
      </section>
      {isOutdated && (
        <div role="alert">
          <Notice kind="caution" title={t`Somebody else changed it meanwhile.`}>
            <p>{t`Nothing was saved. Review what changes now, and save again.`}</p>
          </Notice>
        </div>
      )}
      {upload.error && !isConflict(upload.error) && (
        <ErrorCard title={t`The file could not be sent.`} error={upload.error} />
      )}
      <div role="status" className={styles.result}>
        {checked && !checked.reply.success && (
          <Faults filename={checked.filename} faults={checked.reply.errors} faultText={faultText} />
        )}
        {!checked && result}
      </div>
      {checked?.reply.success && (
        <Lines {...props} lines={checked.reply.lines} onSave={() => save({ ...checked, ...checked.reply })} />
      )}
    </div>
  )
}

type FaultProps<F extends Fault> = {
  filename: string
  faults: readonly F[]
  faultText: (fault: F) => MessageDescriptor
}

function Faults<F extends Fault>({ filename, faults, faultText }: FaultProps<F>) {
  const { t } = useLingui()
  const lines = faults.map((fault) => {
    const { line } = fault
    return `${t`Line ${line}`}: ${t(faultText(fault))}`
  })
  return (
    <Notice kind="error" title={t`Upload failed in ${filename}`}>
      <p>{t`Nothing was saved. Correct these lines and choose the file again.`}</p>
      <ul className={layout.tight}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <div>
        <CopyButton text={lines.join('\n')}>{t`Copy the list`}</CopyButton>
      </div>
    </Notice>
  )
}

type LinesProps<F extends Fault, L extends Line, T extends Taken<L>> = Pick<
  Props<F, L, T>,
  'caption' | 'columns' | 'Summary' | 'save' | 'upload'
> & { lines: readonly L[]; onSave: () => void }

function Lines<F extends Fault, L extends Line, T extends Taken<L>>({
  lines,
  caption,
  columns,
  Summary,
  save,
  upload,
  onSave,
}: LinesProps<F, L, T>) {
  const { t } = useLingui()
  const { number } = useFormats()
  const more = lines.length - mostShown
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`Review changes`}>
      <h2>{t`Review changes`}</h2>
      <p role="status">
        <Summary lines={lines} />
      </p>
      <DataTable
        caption={caption}
        rows={lines.slice(0, mostShown)}
        rowKey={({ line }) => String(line)}
        columns={[
          { key: 'line', head: t`Line`, numeric: true, cell: ({ line }) => number(line) },
          ...columns,
        ]}
      />
      {more > 0 && (
        <p className={layout.muted}>
          <Plural value={more} one="and # more" other="and # more" />
        </p>
      )}
      <div>
        <Button kind="primary" pending={upload.isPending} onPress={onSave}>
          {save}
        </Button>
      </div>
    </section>
  )
}
