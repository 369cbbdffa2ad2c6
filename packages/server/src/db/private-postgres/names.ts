/** The role that Kiln connects as. It owns its database and is not a superuser. */
export const ROLE = 'kiln_service'

/** The role that created the directory, a superuser. It cannot log in over a connection. */
export const SUPERUSER = 'kiln'

export const DATABASE = 'kiln'
export const MAINTENANCE_DATABASE = 'postgres'
