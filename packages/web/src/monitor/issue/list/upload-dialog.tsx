import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { UploadErrorCode, UploadReply } from '@clearway/contract/monitor/issue/upload/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { type Ref, useRef, useState } from 'react'
import { toNamedOptions, Select } from '../../../kit/form/select.tsx'
import { Button, getButtonClass } from '../../../kit/control/button.tsx'
import coveringInput from '../../../kit/form/covering-input.module.css'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { Field, type FieldControl } from '../../../kit/form/field.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { Notice } from '../../../kit/page/states.tsx'
import { allScansQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { useUploadIssues } from '../queries-change.ts'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import styles from './upload-dialog.module.css'

const uploadErrorMessages: Record<UploadErrorCode, MessageDescriptor> = {
  'not-json': msg`The file is not JSON (application/json).`,
  'invalid-issues': msg`The file contains no valid results of axe-core.`,
  'unsupported-source': msg`Unsupported source. Only results of axe-core, its packages and clearway scan can be uploaded.`,
  'other-axe-version': msg`The results come from a version of axe-core that does not match this run.`,
  'file-too-large': msg`The file is too large.`,
  'too-many-files': msg`These are too many files at once.`,
  'no-files': msg`Choose at least one file.`,
  'run-active': msg`The run is still going on. Wait until it has ended.`,
  'server-issue': msg`The server could not store the results. Try again later.`,
}

type UploadDialogProps = { scanId: ScanId | undefined; runNumber: number | undefined; onClose: () => void }

export function UploadDialog({ scanId, runNumber, onClose }: UploadDialogProps) {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const uploadMutation = useUploadIssues()
  const scansResult = useQuery(allScansQuery(apiClient))
  const uploadableScans = (scansResult.data ?? []).filter(({ rights, lastRun }) => rights.curate && lastRun)
  const [selectedScanId, setSelectedScanId] = useState<string>(scanId ?? '')
  const [selectedFiles, setSelectedFiles] = useState<readonly File[]>([])
  const [uploadFault, setUploadFault] = useState<UploadErrorCode | 'no-scan' | null>(null)
  const selectedScan = uploadableScans.find((candidate) => candidate.id === selectedScanId)
  const targetRunNumber = (selectedScanId === scanId ? runNumber : undefined) ?? selectedScan?.lastRun?.number
  const { uploadFiles: maxFiles, uploadBytes: maxBytes } = appConfig.limits
  const submitUpload = () => {
    // The target run is unknown until the scans are loaded.
    if (scansResult.isPending) return undefined
    if (!selectedScan || targetRunNumber === undefined) return setUploadFault('no-scan')
    if (selectedFiles.length === 0) return setUploadFault('no-files')
    if (selectedFiles.length > maxFiles) return setUploadFault('too-many-files')
    if (selectedFiles.some(({ size }) => size > maxBytes)) return setUploadFault('file-too-large')
    setUploadFault(null)
    uploadMutation.mutate({ id: selectedScan.id, run: targetRunNumber, files: selectedFiles })
  }
  // Earlier errors belong to the previous choice.
  const clearFaults = () => {
    setUploadFault(null)
    uploadMutation.reset()
  }
  const fileCount = selectedFiles.length
  const faultMessage = uploadFault && uploadFault !== 'no-scan' ? t(uploadErrorMessages[uploadFault]) : undefined
  if (uploadMutation.data?.success) return <UploadAccepted reply={uploadMutation.data} onClose={onClose} />
  return (
    <Dialog title={t`Upload results`} onClose={onClose}>
      <form
        noValidate
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault()
          submitUpload()
        }}
      >
        <Field
          label={t`Scan`}
          hint={
            targetRunNumber === undefined
              ? t`Scans without a run are not listed.`
              : t`The results are added to run ${targetRunNumber}.`
          }
          error={uploadFault === 'no-scan' ? t`Fill in this field.` : undefined}
        >
          {(control) => (
            <Select
              {...control}
              autoFocus
              value={selectedScanId}
              options={toNamedOptions(t`Choose a scan`, uploadableScans)}
              onChange={(chosenId) => {
                clearFaults()
                setSelectedScanId(chosenId)
              }}
            />
          )}
        </Field>
        <FilesField
          files={selectedFiles}
          error={faultMessage}
          maxFiles={maxFiles}
          maxBytes={maxBytes}
          onFiles={(files) => {
            clearFaults()
            setSelectedFiles(files)
          }}
        />
        <div role="alert" className={styles.alert}>
          {uploadMutation.error && <Notice kind="error" title={t(getProblemMessage(uploadMutation.error))} />}
          {uploadMutation.data && <UploadRefused reply={uploadMutation.data} />}
        </div>
        <DialogActions>
          <Button onPress={onClose}>{t`Cancel`}</Button>
          <Button
            {...(fileCount > 0 && { kind: 'primary' })}
            type="submit"
            pending={uploadMutation.isPending || scansResult.isPending}
          >
            {uploadMutation.isPending ? (
              t`Uploading…`
            ) : fileCount === 0 ? (
              t`Upload`
            ) : (
              <Plural value={fileCount} one="Upload # file" other="Upload # files" />
            )}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type FilesFieldProps = {
  files: readonly File[]
  error: string | undefined
  maxFiles: number
  maxBytes: number
  onFiles: (files: readonly File[]) => void
}

function FilesField({ files, error, maxFiles, maxBytes, onFiles }: FilesFieldProps) {
  const { t } = useLingui()
  const fileInputRef = useRef<HTMLInputElement>(null)
  const maxMegabytes = Math.round(maxBytes / 1024 / 1024)
  const removeFile = (removedFile: File) => {
    onFiles(files.filter((file) => file !== removedFile))
    // The same file can be chosen again.
    fileInputRef.current!.value = ''
    fileInputRef.current!.focus()
  }
  return (
    <>
      <Field
        label={t`Files`}
        hint={t`Choose or drop JSON results of axe-core: at most ${maxFiles} files of ${maxMegabytes} MB each.`}
        error={error}
      >
        {(control) => <FileDrop ref={fileInputRef} control={control} onFiles={onFiles} />}
      </Field>
      {files.length > 0 && <ChosenFiles files={files} maxBytes={maxBytes} onRemove={removeFile} />}
    </>
  )
}

type FileDropProps = {
  ref: Ref<HTMLInputElement>
  control: FieldControl
  onFiles: (files: readonly File[]) => void
}

/** Box to choose files or drop them. The browser's own control, which speaks the browser's language, is transparent above it. */
function FileDrop({ ref, control, onFiles }: FileDropProps) {
  const { t } = useLingui()
  return (
    <div className={styles.drop}>
      <input
        {...control}
        ref={ref}
        className={coveringInput.covering}
        type="file"
        multiple
        accept=".json,application/json"
        onChange={({ target }) => onFiles([...(target.files ?? [])])}
      />
      <span className={getButtonClass()} aria-hidden="true">{t`Choose files…`}</span>
      <span className={layout.muted} aria-hidden="true">{t`or drop them here`}</span>
    </div>
  )
}

function UploadRefused({ reply }: { reply: UploadReply }) {
  const { t } = useLingui()
  return (
    <Notice kind="error" title={t`Nothing was uploaded`}>
      <ul className={layout.tight}>
        {reply.errors.map(({ file, code, path }) => (
          <li key={`${file} ${code} ${path}`}>
            <span className={layout.strong}>{file}</span>: {t(uploadErrorMessages[code])}{' '}
            {path !== undefined && <code translate="no">{path}</code>}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function UploadAccepted({ reply, onClose }: { reply: UploadReply; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog title={t`Results uploaded`} onClose={onClose}>
      <p role="status">
        <Plural value={reply.pages} one="# page" other="# pages" />,{' '}
        <Plural value={reply.issues} one="# issue" other="# issues" />
      </p>
      {reply.warnings.map(({ file, message }) => (
        <Notice key={file} kind="caution" title={file}>
          <p lang="en">{message}</p>
        </Notice>
      ))}
      <DialogActions>
        <Button kind="primary" autoFocus onPress={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  )
}

type ChosenFilesProps = { files: readonly File[]; maxBytes: number; onRemove: (file: File) => void }

/** The chosen files with their sizes; those that are too large say so before the upload. */
function ChosenFiles({ files, maxBytes, onRemove }: ChosenFilesProps) {
  const { t } = useLingui()
  const { formatBytes } = useFormats()
  return (
    <ul className={`${styles.chosen} ${layout.sm}`} aria-label={t`Chosen files`}>
      {files.map((file, i) => (
        <li key={i}>
          <span className={layout.break}>{file.name}</span>
          <span className={file.size > maxBytes ? layout.bad : layout.muted}>
            {formatBytes(file.size)}
            {file.size > maxBytes && <> · {t`too large`}</>}
          </span>
          <RemoveFile name={file.name} onPress={() => onRemove(file)} />
        </li>
      ))}
    </ul>
  )
}

function RemoveFile({ name, onPress }: { name: string; onPress: () => void }) {
  const { t } = useLingui()
  return <Button kind="quiet" small square icon="close" label={t`Remove ${name}`} onPress={onPress} />
}
