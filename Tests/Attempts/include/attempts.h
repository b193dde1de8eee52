/// One thing that code in a helper might try when a file has taken it over.
struct attempt {
  /// Its name.
  const char *name;
  /// Tries it.
  ///
  /// Returns 0 when it was done, or the number of the error.
  int (*attempt)(void);
};

/// All of them, in a list that a name of NULL ends.
const struct attempt *attempts_all(void);

/// Says where the attempts are made: a folder that is not the job's, with a file `secret`, a socket `door` that somebody listens
/// at, and the port and the process number of who does. To be called before anything is tried.
void attempts_begin(const char *folder, int port, int victim);
