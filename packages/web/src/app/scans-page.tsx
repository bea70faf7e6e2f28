import { Navigate } from '@tanstack/react-router'
import { ScanListPage } from '../monitor/scan/pages/list.tsx'
import { useSession } from '../monitor/user/model.ts'

/** The list of scans; a guest's would have one in it, and is left out. */
export function ScansPage() {
  const { guestScan } = useSession()
  return guestScan ? (
    <Navigate to="/scans/$scanId" params={{ scanId: guestScan }} replace />
  ) : (
    <ScanListPage />
  )
}
