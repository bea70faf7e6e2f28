type NamedPerson = { firstName: string; lastName: string; username: string }

/** Returns the full name of a person, or the username if there is none. */
export const getPersonName = ({ firstName, lastName, username }: NamedPerson): string =>
  `${firstName} ${lastName}`.trim() || username
