/** The role that Kiln connects as. It owns its database and is no superuser. */
export const ROLE = 'kiln_service'

/** The role that made the folder, a superuser. No connection can log in as it. */
export const SUPERUSER = 'kiln'

export const DATABASE = 'kiln'
export const MAINTENANCE_DATABASE = 'postgres'
