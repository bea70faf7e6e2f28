import { Navigate } from '@tanstack/react-router'
import { ScanListPage } from '../monitor/scan/pages/list.tsx'
import { useSession } from '../monitor/user/model.ts'

/** The scan list. Guests have a single scan and skip the list. */
export function ScansPage() {
  const { guestScan } = useSession()
  return guestScan ? <Navigate to="/scans/$scanId" params={{ scanId: guestScan }} replace /> : <ScanListPage />
}
