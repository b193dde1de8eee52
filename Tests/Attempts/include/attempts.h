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

/// The one of a name; NULL where there is none.
const struct attempt *attempts_named(const char *name);

/// Looks for the mark of a magic file, `LIVEEDIT-ATTACK:`, among some bytes.
///
/// Returns where what follows it begins, or -1.
long attempts_mark(const void *bytes, long count);

/// Says where the attempts are made: a folder that is not the job's, with a file `secret`, a socket `door` that somebody listens
/// at; a file that the job reads; the port and the process number of who listens. To be called before anything is tried.
void attempts_begin(const char *folder, const char *job_file, int port, int victim);
