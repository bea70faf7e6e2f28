import { Plural, useLingui } from '@lingui/react/macro'
import type { AccountImportReply } from '@clearway/contract/account/member/provider/schema.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import { FileButton } from '../../../kit/form/file-button.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard, Notice } from '../../../kit/page/states.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../../monitor/user/model.ts'
import { importFaultText, roleWords } from '../parts/words.ts'
import { usePeopleActions } from '../queries.ts'

type Checked = { filename: string; content: string; reply: AccountImportReply }
type Success = Extract<AccountImportReply, { success: true }>
const mostShown = 200

/** /admin/people/import: invites everybody whom a CSV file lists. */
export function PeopleImportPage(): ReactNode {
  const { t } = useLingui()
  const { config } = useSession()
  const { upload } = usePeopleActions()
  const [checked, setChecked] = useState<Checked | null>(null)
  const [done, setDone] = useState<Success | null>(null)
  const check = async ([file]: readonly File[]) => {
    if (!file) return
    setChecked(null)
    setDone(null)
    const body = { filename: file.name.slice(-255), content: await file.text() }
    upload.mutate({ ...body, check: true }, { onSuccess: (reply) => setChecked({ ...body, reply }) })
  }
  const save = ({ filename, content }: Checked) =>
    upload.mutate(
      { filename, content },
      {
        onSuccess: (reply) => {
          setChecked(reply.success ? null : { filename, content, reply })
          setDone(reply.success ? reply : null)
        },
      },
    )
  return (
    <>
      <PageHead
        title={t`Import people`}
        productName={config.productName}
        crumbs={[<Link key="people" to="/admin/people">{t`People`}</Link>]}
      />
      <div className={layout.stack}>
        <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`File`}>
          <p>
            {t`A CSV file with the column email, and where you like first name, last name and role. The roles are user, auditor and admin; without one it is user.`}
          </p>
          <pre translate="no" tabIndex={0} role="region" aria-label={t`Example`}>
            email,first name,last name,role{'\n'}ada@example.org,Ada,Lovelace,admin
          </pre>
          <div>
            <FileButton accept=".csv,text/csv" onFiles={(files) => void check(files)}>
              {checked ? t`Choose another file…` : t`Choose a file…`}
            </FileButton>
          </div>
        </section>
        {upload.error && <ErrorCard title={t`The file could not be sent.`} error={upload.error} />}
        <div role="status">
          {checked && !checked.reply.success && <Faults checked={checked} reply={checked.reply} />}
          {done && <Done done={done} />}
        </div>
        {checked?.reply.success && (
          <Lines lines={checked.reply.lines} pending={upload.isPending} onSave={() => save(checked)} />
        )}
      </div>
    </>
  )
}

function Faults({
  checked,
  reply,
}: {
  checked: Checked
  reply: Extract<AccountImportReply, { success: false }>
}) {
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

/** Who was invited, with the links of those to whom no mail went. */
function Done({ done }: { done: Success }) {
  const { t } = useLingui()
  const links = done.invited.flatMap(({ email, link }) => (link ? [`${email ?? ''},${link}`] : []))
  return (
    <Notice kind="info" title={t`People invited`}>
      <p>
        <Plural value={done.invited.length} one="# person is invited." other="# people are invited." />
      </p>
      {links.length > 0 && (
        <>
          <p>{t`No email was sent. Copy the links now and hand them over: they are not shown again.`}</p>
          <div>
            <CopyButton text={links.join('\n')}>{t`Copy the links`}</CopyButton>
          </div>
        </>
      )}
    </Notice>
  )
}

function Lines({
  lines,
  pending,
  onSave,
}: {
  lines: Success['lines']
  pending: boolean
  onSave: () => void
}) {
  const { t } = useLingui()
  const { number } = useFormats()
  const more = lines.length - mostShown
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`Review changes`}>
      <h2>{t`Review changes`}</h2>
      <p role="status">
        <Plural value={lines.length} one="# person" other="# people" />
      </p>
      <DataTable
        caption={t`People`}
        rows={lines.slice(0, mostShown)}
        rowKey={({ line }) => String(line)}
        columns={[
          { key: 'line', head: t`Line`, numeric: true, cell: ({ line }) => number(line) },
          { key: 'email', head: t`Email`, rowHead: true, cell: ({ email }) => email },
          { key: 'role', head: t`Role`, cell: ({ role }) => t(roleWords[role]) },
        ]}
      />
      {more > 0 && (
        <p className={layout.muted}>
          <Plural value={more} one="and # more" other="and # more" />
        </p>
      )}
      <div>
        <Button kind="primary" pending={pending} onPress={onSave}>{t`Invite`}</Button>
      </div>
    </section>
  )
}
