/** The role that Kiln connects as. It owns its database, and is nobody else's superior. */
export const ROLE = 'kiln_service'

/** The role that made the folder, a superuser. Nobody can connect as it. */
export const SUPERUSER = 'kiln'

export const DATABASE = 'kiln'
export const MAINTENANCE_DATABASE = 'postgres'
