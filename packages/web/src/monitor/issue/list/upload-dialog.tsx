import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { UploadErrorCode, UploadReply } from '@clearway/contract/monitor/issue/upload/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toNamedOptions, Select } from '../../../kit/form/select.tsx'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { Notice } from '../../../kit/page/states.tsx'
import { allScansQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { useUploadIssues } from '../queries.ts'
import layout from '../../../kit/page/layout.module.css'

const faults: Record<UploadErrorCode, MessageDescriptor> = {
  'not-json': msg`The file is not JSON (application/json).`,
  'invalid-issues': msg`The file contains no valid results of axe-core.`,
  'unsupported-source': msg`The results come from a version of axe-core that does not match this run.`,
  'file-too-large': msg`The file is too large.`,
  'too-many-files': msg`These are too many files at once.`,
  'no-files': msg`Choose at least one file.`,
  'run-active': msg`The run is still going on. Wait until it has ended.`,
  'server-issue': msg`The server could not store the results. Try again later.`,
}

type Props = { scan: ScanId | undefined; run: number | undefined; onClose: () => void }

/** Adds results of axe-core to a run, from files of axe-core, its packages, or the command line. */
export function UploadDialog({ scan, run, onClose }: Props) {
  const { t } = useLingui()
  const { api, config } = useSession()
  const upload = useUploadIssues()
  const scans = useQuery(allScansQuery(api))
  const allowed = (scans.data ?? []).filter(({ rights, lastRun }) => rights.curate && lastRun)
  const [id, setId] = useState<string>(scan ?? '')
  const [files, setFiles] = useState<readonly File[]>([])
  const [faultOf, setFault] = useState<UploadErrorCode | 'no-scan' | null>(null)
  const chosen = allowed.find((one) => one.id === id)
  const number = (id === scan ? run : undefined) ?? chosen?.lastRun?.number
  const { uploadFiles, uploadBytes } = config.limits
  const send = () => {
    // Which run the results are added to is not known yet.
    if (scans.isPending) return undefined
    if (!chosen || number === undefined) return setFault('no-scan')
    if (files.length === 0) return setFault('no-files')
    if (files.length > uploadFiles) return setFault('too-many-files')
    if (files.some(({ size }) => size > uploadBytes)) return setFault('file-too-large')
    setFault(null)
    upload.mutate({ id: chosen.id, run: number, files })
  }
  const fault = faultOf && faultOf !== 'no-scan' ? t(faults[faultOf]) : undefined
  const megabytes = Math.round(uploadBytes / 1024 / 1024)
  if (upload.data?.success) return <Taken reply={upload.data} onClose={onClose} />
  return (
    <Dialog title={t`Upload issues`} onClose={onClose}>
      <form
        noValidate
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <Field
          label={t`Scan`}
          hint={number === undefined ? undefined : t`The results are added to run ${number}.`}
          error={faultOf === 'no-scan' ? t`Fill in this field.` : undefined}
        >
          {(control) => (
            <Select
              {...control}
              autoFocus
              value={id}
              options={toNamedOptions(t`Choose a scan`, allowed)}
              onChange={setId}
            />
          )}
        </Field>
        <Field
          label={t`Files`}
          hint={t`JSON results of axe-core: at most ${uploadFiles} files of ${megabytes} MB each.`}
          error={fault}
        >
          {(control) => (
            <input
              {...control}
              type="file"
              multiple
              accept=".json,application/json"
              onChange={({ target }) => setFiles([...(target.files ?? [])])}
            />
          )}
        </Field>
        <div role="alert">
          {upload.error && <Notice kind="error" title={t(getProblemMessage(upload.error))} />}
          {upload.data && <Refused reply={upload.data} />}
        </div>
        <DialogActions>
          <Button onPress={onClose}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" pending={upload.isPending || scans.isPending}>
            {upload.isPending ? t`Uploading…` : t`Upload`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Refused({ reply }: { reply: UploadReply }) {
  const { t } = useLingui()
  return (
    <Notice kind="error" title={t`Nothing was uploaded`}>
      <ul className={layout.tight}>
        {reply.errors.map(({ file, code, path }) => (
          <li key={`${file} ${code} ${path}`}>
            <span className={layout.strong}>{file}</span>: {t(faults[code])}{' '}
            {path !== undefined && <code translate="no">{path}</code>}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function Taken({ reply, onClose }: { reply: UploadReply; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog title={t`Issues uploaded`} onClose={onClose}>
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
