import { Plural, useLingui } from '@lingui/react/macro'
import type { AccountImportReply } from '@clearway/contract/account/member/provider/schema.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import { CsvImport } from '../../../kit/form/csv-import.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { Notice } from '../../../kit/page/states.tsx'
import { useSession } from '../../../monitor/user/model.ts'
import { getImportFaultMessage, roleLabels } from '../list/labels.ts'
import { usePeopleActions } from '../queries.ts'

type ImportSuccess = Extract<AccountImportReply, { success: true }>
type ImportedLine = ImportSuccess['lines'][number]

const exampleCsv = `email,first name,last name,role
ada@example.org,Ada,Lovelace,admin`

/** /admin/people/import: invites every person in a CSV file. */
export function PeopleImportPage(): ReactNode {
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  const { uploadPeople } = usePeopleActions()
  const [importResult, setImportResult] = useState<ImportSuccess | null>(null)
  return (
    <>
      <PageHead
        title={t`Import people`}
        productName={appConfig.productName}
        crumbs={[<Link key="people" to="/admin/people">{t`People`}</Link>]}
      />
      <CsvImport
        description={t`A CSV file with the column email and, optionally, first name, last name and role. The roles are user, auditor and admin; the default is user.`}
        example={exampleCsv}
        upload={uploadPeople}
        faultText={getImportFaultMessage}
        onSaved={setImportResult}
        caption={t`People`}
        columns={[
          {
            key: 'email',
            heading: t`Email`,
            isRowHeading: true,
            renderCell: ({ email }: ImportedLine) => email,
          },
          { key: 'role', heading: t`Role`, renderCell: ({ role }: ImportedLine) => t(roleLabels[role]) },
        ]}
        Summary={ImportedLineCount}
        save={t`Invite`}
        result={importResult && <ImportResult done={importResult} />}
      />
    </>
  )
}

function ImportedLineCount({ lines }: { lines: readonly ImportedLine[] }) {
  return <Plural value={lines.length} one="# person" other="# people" />
}

function ImportResult({ done: result }: { done: ImportSuccess }) {
  const { t } = useLingui()
  const linkRows = result.invited.flatMap(({ email, link }) => (link ? [`${email ?? ''},${link}`] : []))
  return (
    <Notice kind="info" title={t`People invited`}>
      <p>
        <Plural value={result.invited.length} one="# person is invited." other="# people are invited." />
      </p>
      {linkRows.length > 0 && (
        <>
          <p>{t`No email was sent. Copy the links now and hand them over: they are not shown again.`}</p>
          <div>
            <CopyButton text={linkRows.join('\n')}>{t`Copy the links`}</CopyButton>
          </div>
        </>
      )}
    </Notice>
  )
}
