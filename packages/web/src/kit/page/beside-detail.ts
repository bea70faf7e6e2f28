import { createContext } from 'react'

/** True in a list that is shown next to the detail of a row. */
export const BesideDetailContext = createContext(false)
