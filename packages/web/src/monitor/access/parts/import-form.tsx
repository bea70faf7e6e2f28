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
import { importFaultText } from './import-faults.ts'
import { useChangeColumn } from './words.tsx'

type Line = Extract<ImportReply, { success: true }>['lines'][number]

const example = `team,scan,scan group,role
Shop team,Example shop,,Scan Member
Editors,,Public sites,Scan Viewer`

/** Gives the roles that a CSV file lists. */
export function ImportForm(): ReactNode {
  const { t } = useLingui()
  const { config } = useSession()
  const toast = useToast()
  const navigate = useNavigate()
  const { upload } = useAccessActions()
  const change = useChangeColumn<Line & { after: ScanRole }>()
  return (
    <>
      <PageHead
        title={t`Import team access`}
        productName={config.productName}
        crumbs={[<Link key="access" to="/admin/team-access">{t`Team access`}</Link>]}
      />
      <CsvImport
        description={t`A CSV file with the columns team, scan, scan group and role. Each line names a scan or a scan group, and one of the roles Scan Viewer, Scan Member and Scan Admin.`}
        example={example}
        upload={upload}
        faultText={importFaultText}
        onSaved={() => {
          toast('confirmation', t`Team access saved.`)
          void navigate({ to: '/admin/team-access' })
        }}
        caption={t`Changes`}
        columns={[
          { key: 'team', heading: t`Team`, isRowHeading: true, renderCell: ({ team }: Line) => team },
          { key: 'target', heading: t`On`, renderCell: ({ scan, scanGroup }: Line) => scan ?? scanGroup },
          { ...change, renderCell: (line: Line) => change.renderCell({ ...line, after: line.role }) },
        ]}
        Summary={Changed}
        save={t`Save changes`}
      />
    </>
  )
}

function Changed({ lines }: { lines: readonly Line[] }) {
  const changed = lines.filter(({ before, role }) => before !== role).length
  return <Plural value={changed} _0="Nothing changes." one="# change" other="# changes" />
}
