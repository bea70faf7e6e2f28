import { decodeFileText } from '@clearway/contract/kit/decode-text.ts'
import type { MessageDescriptor } from '@lingui/core'
import { Plural, useLingui } from '@lingui/react/macro'
import { type ComponentType, type ReactNode, useState } from 'react'
import { isEditConflict } from '../client/field-errors.ts'
import type { Mutation } from '../client/use-mutation.ts'
import { Button } from '../control/button.tsx'
import { CopyButton } from '../control/copy-button.tsx'
import layout from '../page/layout.module.css'
import { ErrorCard, Notice } from '../page/states.tsx'
import { type Column, DataTable } from '../table/table.tsx'
import { useFormats } from '../text/format.ts'
import styles from './csv-import.module.css'
import { FileButton } from './file-button.tsx'

type ImportFault = { line: number; code: string; value: string }
type ImportLine = { line: number }
type RejectedImport<F extends ImportFault> = { success: false; errors: readonly F[] }
/** `version` of the data that the lines change, if versioned. It is sent back with the file. */
type AcceptedImport<L extends ImportLine> = { success: true; lines: readonly L[]; version?: number | undefined }
type ImportRequest = { filename: string; content: string; check?: boolean | undefined; version?: number | undefined }
const maxVisibleLines = 200

type CsvImportProps<F extends ImportFault, L extends ImportLine, T extends AcceptedImport<L>> = {
  /** Description of the required file content. */
  description: string
  example: string
  upload: Mutation<RejectedImport<F> | T, ImportRequest>
  faultText: (fault: F) => MessageDescriptor
  onSaved: (reply: T) => void
  /** Caption of the lines; `columns` follow the line number. */
  caption: string
  columns: readonly Column<L>[]
  /** A sentence with the number of lines. */
  Summary: ComponentType<{ lines: readonly L[] }>
  save: string
  /** Outcome after saving. */
  result?: ReactNode
}

/** Imports a CSV file. Shows the effect of every line before saving. */
export function CsvImport<F extends ImportFault, L extends ImportLine, T extends AcceptedImport<L>>(
  props: CsvImportProps<F, L, T>,
) {
  const { description, example, upload: uploadMutation, faultText, onSaved, result: importResult } = props
  const { t } = useLingui()
  const [checkedImport, setCheckedImport] = useState<(ImportRequest & { reply: RejectedImport<F> | T }) | null>(null)
  const [isOutdated, setIsOutdated] = useState(false)
  const checkFile = (file: Pick<ImportRequest, 'filename' | 'content'>) =>
    uploadMutation.mutate({ ...file, check: true }, { onSuccess: (reply) => setCheckedImport({ ...file, reply }) })
  const onFilesSelected = async ([file]: readonly File[]) => {
    if (!file) return
    setCheckedImport(null)
    setIsOutdated(false)
    checkFile({ filename: file.name.slice(-255), content: decodeFileText(await file.bytes()) })
  }
  const saveImport = ({ filename, content, version }: ImportRequest) =>
    uploadMutation.mutate(
      { filename, content, ...(version === undefined ? {} : { version }) },
      {
        onSuccess: (reply) => {
          // The data changed between the check and the save.
          setCheckedImport(reply.success ? null : { filename, content, reply })
          setIsOutdated(false)
          if (reply.success) onSaved(reply)
        },
        onError: (error) => {
          if (!isEditConflict(error)) return
          setIsOutdated(true)
          checkFile({ filename, content })
        },
      },
    )
  return (
    <div className={layout.stack}>
      <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`File`}>
        <p>{description}</p>
        <pre className={styles.example} translate="no" tabIndex={0} role="region" aria-label={t`Example`}>
          {example}
        </pre>
        <div>
          <FileButton accept=".csv,text/csv" onFiles={(files) => void onFilesSelected(files)}>
            {checkedImport ? t`Choose another file…` : t`Choose a file…`}
          </FileButton>
        </div>
      </section>
      {isOutdated && (
        <div role="alert">
          <Notice kind="caution" title={t`Someone else changed this in the meantime.`}>
            <p>{t`Nothing was saved. Review what changes now, and save again.`}</p>
          </Notice>
        </div>
      )}
      {uploadMutation.error && !isEditConflict(uploadMutation.error) && (
        <ErrorCard title={t`The file could not be sent.`} error={uploadMutation.error} />
      )}
      <div role="status" className={styles.result}>
        {checkedImport && !checkedImport.reply.success && (
          <ImportFaults filename={checkedImport.filename} faults={checkedImport.reply.errors} faultText={faultText} />
        )}
        {!checkedImport && importResult}
      </div>
      {checkedImport?.reply.success && (
        <ImportLines
          {...props}
          lines={checkedImport.reply.lines}
          onSave={() => saveImport({ ...checkedImport, ...checkedImport.reply })}
        />
      )}
    </div>
  )
}

type ImportFaultsProps<F extends ImportFault> = {
  filename: string
  faults: readonly F[]
  faultText: (fault: F) => MessageDescriptor
}

function ImportFaults<F extends ImportFault>({ filename, faults, faultText }: ImportFaultsProps<F>) {
  const { t } = useLingui()
  const faultLines = faults.map((fault) => {
    const { line: lineNumber } = fault
    return `${t`Line ${lineNumber}`}: ${t(faultText(fault))}`
  })
  return (
    <Notice kind="error" title={t`Upload failed in ${filename}`}>
      <p>{t`Nothing was saved. Correct these lines and choose the file again.`}</p>
      <ul className={layout.tight}>
        {faultLines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <div>
        <CopyButton text={faultLines.join('\n')}>{t`Copy the list`}</CopyButton>
      </div>
    </Notice>
  )
}

type ImportLinesProps<F extends ImportFault, L extends ImportLine, T extends AcceptedImport<L>> = Pick<
  CsvImportProps<F, L, T>,
  'caption' | 'columns' | 'Summary' | 'save' | 'upload'
> & { lines: readonly L[]; onSave: () => void }

function ImportLines<F extends ImportFault, L extends ImportLine, T extends AcceptedImport<L>>({
  lines,
  caption,
  columns,
  Summary,
  save: saveLabel,
  upload,
  onSave,
}: ImportLinesProps<F, L, T>) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const hiddenLineCount = lines.length - maxVisibleLines
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`Review changes`}>
      <h2>{t`Review changes`}</h2>
      <p role="status">
        <Summary lines={lines} />
      </p>
      <DataTable
        caption={caption}
        rows={lines.slice(0, maxVisibleLines)}
        rowKey={({ line }) => String(line)}
        columns={[{ key: 'line', heading: t`Line`, isNumeric: true, renderCell: ({ line }) => formatNumber(line) }, ...columns]}
      />
      {hiddenLineCount > 0 && (
        <p className={layout.muted}>
          <Plural value={hiddenLineCount} one="and # more" other="and # more" />
        </p>
      )}
      <div>
        <Button kind="primary" pending={upload.isPending} onPress={onSave}>
          {saveLabel}
        </Button>
      </div>
    </section>
  )
}
