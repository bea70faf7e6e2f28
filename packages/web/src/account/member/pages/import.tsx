import { Plural, useLingui } from '@lingui/react/macro'
import type { AccountImportReply } from '@clearway/contract/account/member/provider/schema.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import { CsvImport } from '../../../kit/form/csv-import.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { Notice } from '../../../kit/page/states.tsx'
import { useSession } from '../../../monitor/user/model.ts'
import { importFaultText, roleWords } from '../parts/words.ts'
import { usePeopleActions } from '../queries.ts'

type Success = Extract<AccountImportReply, { success: true }>
type Line = Success['lines'][number]

const example = `email,first name,last name,role
ada@example.org,Ada,Lovelace,admin`

/** /admin/people/import: invites everybody whom a CSV file lists. */
export function PeopleImportPage(): ReactNode {
  const { t } = useLingui()
  const { config } = useSession()
  const { upload } = usePeopleActions()
  const [done, setDone] = useState<Success | null>(null)
  return (
    <>
      <PageHead
        title={t`Import people`}
        productName={config.productName}
        crumbs={[<Link key="people" to="/admin/people">{t`People`}</Link>]}
      />
      <CsvImport
        description={t`A CSV file with the column email and, optionally, first name, last name and role. The roles are user, auditor and admin; the default is user.`}
        example={example}
        upload={upload}
        faultText={importFaultText}
        onSaved={setDone}
        caption={t`People`}
        columns={[
          { key: 'email', head: t`Email`, rowHead: true, cell: ({ email }: Line) => email },
          { key: 'role', head: t`Role`, cell: ({ role }: Line) => t(roleWords[role]) },
        ]}
        Summary={Listed}
        save={t`Invite`}
        result={done && <Done done={done} />}
      />
    </>
  )
}

function Listed({ lines }: { lines: readonly Line[] }) {
  return <Plural value={lines.length} one="# person" other="# people" />
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
