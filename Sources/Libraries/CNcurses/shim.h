// Wide characters need this define. Macros, globals and variadic functions that Swift
// cannot import, or may not use in a concurrent program, are wrapped below.
#ifndef REDDOT_CNCURSES_SHIM_H
#define REDDOT_CNCURSES_SHIM_H
#define NCURSES_WIDECHAR 1
#include <fcntl.h>
#include <wchar.h>
#include <ncurses.h>
#include <term.h>

// In newer headers a window has no members (NCURSES_OPAQUE), so Swift knows its pointers by another type.
typedef WINDOW *CursesWindow;

// The attributes are casts of shifts, which the importer does not take as constants.
static const attr_t cnc_bold = A_BOLD;
static const attr_t cnc_dim = A_DIM;
static const attr_t cnc_italic = A_ITALIC;
static const attr_t cnc_underline = A_UNDERLINE;
static const attr_t cnc_reverse = A_REVERSE;

// `stdscr`, `COLORS` and `COLOR_PAIRS` are mutable globals.
static inline WINDOW *cnc_standard_screen(void) { return stdscr; }
static inline int cnc_color_count(void) { return COLORS; }
static inline int cnc_pair_limit(void) { return COLOR_PAIRS; }

static inline int cnc_rows(WINDOW *window) { return getmaxy(window); }
static inline int cnc_columns(WINDOW *window) { return getmaxx(window); }

// A character with its combining marks, of which curses keeps the first ones. The pair is passed through the extension
// pointer: the short argument is limited to 32767.
static inline int cnc_set_cell(
    cchar_t *cell, wchar_t base, const wchar_t *marks, int count, attr_t attributes, int pair) {
  wchar_t text[CCHARW_MAX + 1] = {base};
  for (int index = 0; index < count && index + 1 < CCHARW_MAX; index++) text[index + 1] = marks[index];
  return setcchar(cell, text, attributes, 0, &pair);
}

// NULL if the terminal does not have the capability, or if there is none with that name.
static inline const char *cnc_string_capability(const char *name) {
  const char *text = tigetstr(name);
  return text == (const char *)-1 ? NULL : text;
}
static inline bool cnc_has_flag(const char *name) { return tigetflag(name) == 1; }

#ifdef __linux__
// The headers declare both only with GNU extensions.
extern int memfd_create(const char *name, unsigned int flags);
extern int dup3(int from, int to, int flags);
// Closed in child processes; 1 is MFD_CLOEXEC, memfd_create(2).
static inline int cnc_memory_file(void) { return memfd_create("frame", 1U); }
static inline int cnc_replace_descriptor(int to, int from) { return dup3(from, to, O_CLOEXEC); }
#else
static inline int cnc_memory_file(void) { return -1; }
static inline int cnc_replace_descriptor(int to, int from) { (void)to, (void)from; return -1; }
#endif

static inline int cnc_define_key(const char *sequence, int code) { return define_key(sequence, code); }
#endif
