/// An action that code in a helper might attempt after a file has taken control of the helper.
struct attempt {
  /// The attempt's name.
  const char *name;
  /// Makes the attempt.
  ///
  /// Returns 0 if it succeeded, or the error number.
  int (*attempt)(void);
};

/// All attempts, in a list that ends with an entry whose name is NULL.
const struct attempt *attempts_all(void);

/// The attempt of a name, or NULL if that name does not exist.
const struct attempt *attempts_named(const char *name);

/// Searches some bytes for the mark of a magic file, `LIVEEDIT-ATTACK:`.
///
/// Returns the position after the mark, or -1.
long attempts_mark(const void *bytes, long count);

/// Sets the targets of the attempts: a folder outside the job, with a file `secret` and a socket `door` on which a process listens; a
/// file that the job reads; the port and the process number of the listening process. Must be called before any attempt.
void attempts_begin(const char *folder, const char *job_file, int port, int victim);
