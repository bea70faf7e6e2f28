type Person = { firstName: string; lastName: string; username: string }

/** What a person is called: by name, else by user name. */
export const nameOfPerson = ({ firstName, lastName, username }: Person): string =>
  `${firstName} ${lastName}`.trim() || username
