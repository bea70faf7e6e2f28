import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import type { ImportReply } from '@clearway/contract/monitor/access/schema.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { FileButton } from '../../../kit/form/file-button.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { PageHead } from '../../../kit/page/head.tsx'
import { ErrorCard, Notice } from '../../../kit/page/states.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useSession } from '../../user/model.ts'
import { useAccessActions } from '../queries.ts'
import { importFaultText } from './import-faults.ts'
import styles from './team-roles.module.css'
import { useChangeColumn } from './words.tsx'

type Checked = { filename: string; content: string; reply: ImportReply }
const mostShown = 200

/** Gives the roles that a CSV file lists: what becomes of every line is seen before anything is saved. */
export function ImportForm(): ReactNode {
  const { t } = useLingui()
  const { config } = useSession()
  const toast = useToast()
  const navigate = useNavigate()
  const { upload } = useAccessActions()
  const [checked, setChecked] = useState<Checked | null>(null)
  const check = async ([file]: readonly File[]) => {
    if (!file) return
    setChecked(null)
    const body = { filename: file.name.slice(-255), content: await file.text() }
    upload.mutate({ ...body, check: true }, { onSuccess: (reply) => setChecked({ ...body, reply }) })
  }
  const save = ({ filename, content }: Checked) =>
    upload.mutate(
      { filename, content },
      {
        onSuccess: (reply) => {
          // Something was deleted between the look and the saving.
          if (!reply.success) return setChecked({ filename, content, reply })
          toast('confirmation', t`Team access saved.`)
          void navigate({ to: '/admin/team-access' })
        },
      },
    )
  return (
    <>
      <PageHead
        title={t`Import team access`}
        productName={config.productName}
        crumbs={[<Link key="access" to="/admin/team-access">{t`Team access`}</Link>]}
      />
      <div className={layout.stack}>
        <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`File`}>
          <p>
            {t`A CSV file with the columns team, scan, scan group and role. Each line names a scan or a scan group, and one of the roles Scan Viewer, Scan Member and Scan Admin.`}
          </p>
          <pre className={styles.example} translate="no" tabIndex={0} role="region" aria-label={t`Example`}>
            team,scan,scan group,role{'\n'}Shop team,Example shop,,Scan Member{'\n'}Editors,,Public sites,Scan
            Viewer
          </pre>
          <div>
            <FileButton accept=".csv,text/csv" onFiles={(files) => void check(files)}>
              {checked ? t`Choose another file…` : t`Choose a file…`}
            </FileButton>
          </div>
        </section>
        {upload.error && <ErrorCard title={t`The file could not be sent.`} error={upload.error} />}
        <div role="status" className={styles.result}>
          {checked && !checked.reply.success && <Faults checked={checked} reply={checked.reply} />}
        </div>
        {checked?.reply.success && (
          <Lines lines={checked.reply.lines} pending={upload.isPending} onSave={() => save(checked)} />
        )}
      </div>
    </>
  )
}

function Faults({ checked, reply }: { checked: Checked; reply: Extract<ImportReply, { success: false }> }) {
  const { t } = useLingui()
  const { filename } = checked
  const lines = reply.errors.map((error) => {
    const { line } = error
    return `${t`Line ${line}`}: ${t(importFaultText(error))}`
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

type LinesProps = {
  lines: Extract<ImportReply, { success: true }>['lines']
  pending: boolean
  onSave: () => void
}

function Lines({ lines, pending, onSave }: LinesProps) {
  const { t } = useLingui()
  const { number } = useFormats()
  const change = useChangeColumn<LinesProps['lines'][number] & { after: ScanRole }>()
  const changed = lines.filter(({ before, role }) => before !== role).length
  const more = lines.length - mostShown
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`Review changes`}>
      <h2>{t`Review changes`}</h2>
      <p role="status">
        <Plural value={changed} _0="Nothing changes." one="# change" other="# changes" />
      </p>
      <DataTable
        caption={t`Changes`}
        rows={lines.slice(0, mostShown).map((line) => ({ ...line, after: line.role }))}
        rowKey={({ line }) => String(line)}
        columns={[
          { key: 'line', head: t`Line`, numeric: true, cell: ({ line }) => number(line) },
          { key: 'team', head: t`Team`, rowHead: true, cell: ({ team }) => team },
          { key: 'target', head: t`On`, cell: ({ scan, scanGroup }) => scan ?? scanGroup },
          change,
        ]}
      />
      {more > 0 && (
        <p className={layout.muted}>
          <Plural value={more} one="and # more" other="and # more" />
        </p>
      )}
      <div>
        <Button kind="primary" pending={pending} onPress={onSave}>{t`Save changes`}</Button>
      </div>
    </section>
  )
}
