import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import type { ImportReply } from '@clearway/contract/monitor/access/schema.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { CsvImport } from '../../../kit/form/csv-import.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { useSession } from '../../user/model.ts'
import { useAccessActions } from '../queries.ts'
import { getImportFaultMessage } from './import-faults.ts'
import { useChangeColumn } from '../parts/role-names.tsx'

type ImportedLine = Extract<ImportReply, { success: true }>['lines'][number]

const exampleCsv = `team,scan,scan group,role
Shop team,Example shop,,Scan Member
Editors,,Public sites,Scan Viewer`

export function ImportForm({ headActions }: { headActions?: ReactNode }): ReactNode {
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  const showToast = useToast()
  const navigateTo = useNavigate()
  const { uploadMutation } = useAccessActions()
  const changeColumn = useChangeColumn<ImportedLine & { previousRole: ScanRole | null; newRole: ScanRole }>()
  return (
    <>
      <PageHead
        title={t`Import team access`}
        productName={appConfig.productName}
        crumbs={[<Link key="access" to="/admin/team-access">{t`Team access`}</Link>]}
        actions={headActions}
      />
      <CsvImport
        description={t`A CSV file with the columns team, scan, scan group and role. Each line names a scan or a scan group, and one of the roles Scan Viewer, Scan Member and Scan Admin.`}
        example={exampleCsv}
        upload={uploadMutation}
        faultText={getImportFaultMessage}
        onSaved={() => {
          showToast('confirmation', t`Team access saved.`)
          void navigateTo({ to: '/admin/team-access' })
        }}
        caption={t`Changes`}
        columns={[
          { key: 'team', heading: t`Team`, isRowHeading: true, renderCell: ({ team }: ImportedLine) => team },
          {
            key: 'target',
            heading: t`On`,
            renderCell: ({ scan, scanGroup }: ImportedLine) => scan ?? scanGroup,
          },
          {
            ...changeColumn,
            renderCell: (line: ImportedLine) =>
              changeColumn.renderCell({ ...line, previousRole: line.before, newRole: line.role }),
          },
        ]}
        Summary={ChangedLineCount}
        save={t`Save changes`}
      />
    </>
  )
}

function ChangedLineCount({ lines }: { lines: readonly ImportedLine[] }) {
  const changedCount = lines.filter(({ before, role }) => before !== role).length
  return <Plural value={changedCount} _0="Nothing changes." one="# change" other="# changes" />
}
