#include <sqlite3.h>

// sqlite3_db_config takes variable arguments, which Swift cannot call.
static inline int liveedit_forbid_triggers_and_views(sqlite3 *database) {
  int code = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
  return code != SQLITE_OK ? code : sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
}
