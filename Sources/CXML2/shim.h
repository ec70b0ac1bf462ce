#pragma once
// libxml2 is loaded when the first XML file is read, and never linked: it brings libicu along, and the start
// of each program would take 3 ms longer (x86-64). The declarations are those of libxml/xmlreader.h.
#include <dlfcn.h>
#include <stddef.h>

typedef struct _xmlTextReader cuecoach_xml_reader;

typedef void (*cuecoach_xml_complaint)(void *context, const char *message, int severity, void *locator);

typedef void (*cuecoach_xml_generic)(void *context, const char *format, ...);

struct cuecoach_xml {
  // What this thread does with errors that belong to no reader, and how to change it.
  cuecoach_xml_generic *(*generic)(void);
  void **(*generic_context)(void);
  void (*set_generic)(void *context, cuecoach_xml_generic);
  cuecoach_xml_reader *(*open)(const char *bytes, int count, const char *url, const char *encoding, int options);
  void (*close)(cuecoach_xml_reader *);
  void (*set_complaint)(cuecoach_xml_reader *, cuecoach_xml_complaint, void *context);
  // Where the parser is.
  int (*position)(cuecoach_xml_reader *);
  // 1: a node was read; 0: the end; -1: an error.
  int (*read)(cuecoach_xml_reader *);
  int (*type)(cuecoach_xml_reader *);
  const unsigned char *(*name)(cuecoach_xml_reader *);
  const unsigned char *(*value)(cuecoach_xml_reader *);
  int (*is_empty)(cuecoach_xml_reader *);
  int (*next_attribute)(cuecoach_xml_reader *);
  void *(*node)(cuecoach_xml_reader *);
  long (*line)(const void *node);
};

static inline void cuecoach_ignore_xml_error(void *context, const char *format, ...) {
  (void)context;
  (void)format;
}

// Some errors belong to no reader: libxml2 writes them to standard error. On this thread it does not until
// `cuecoach_end_xml_quiet`; a program that reads XML itself gets its own handler back.
struct cuecoach_xml_quiet {
  cuecoach_xml_generic before;
  void *context;
};

static inline struct cuecoach_xml_quiet cuecoach_begin_xml_quiet(const struct cuecoach_xml *xml) {
  struct cuecoach_xml_quiet quiet = {*xml->generic(), *xml->generic_context()};
  xml->set_generic(NULL, cuecoach_ignore_xml_error);
  return quiet;
}

static inline void cuecoach_end_xml_quiet(const struct cuecoach_xml *xml, struct cuecoach_xml_quiet quiet) {
  xml->set_generic(quiet.context, quiet.before);
}

// Returns 0 where there is no libxml2, or one without these functions.
static inline int cuecoach_load_xml(struct cuecoach_xml *xml) {
  void *library = dlopen("libxml2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libxml2.so.16", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define CUECOACH_XML(field, symbol) (xml->field = (__typeof__(xml->field))dlsym(library, symbol))
  return CUECOACH_XML(generic, "__xmlGenericError") && CUECOACH_XML(generic_context, "__xmlGenericErrorContext") &&
         CUECOACH_XML(set_generic, "xmlSetGenericErrorFunc") &&
         CUECOACH_XML(open, "xmlReaderForMemory") && CUECOACH_XML(close, "xmlFreeTextReader") &&
         CUECOACH_XML(set_complaint, "xmlTextReaderSetErrorHandler") &&
         CUECOACH_XML(position, "xmlTextReaderGetParserLineNumber") &&
         CUECOACH_XML(read, "xmlTextReaderRead") && CUECOACH_XML(type, "xmlTextReaderNodeType") &&
         CUECOACH_XML(name, "xmlTextReaderConstName") && CUECOACH_XML(value, "xmlTextReaderConstValue") &&
         CUECOACH_XML(is_empty, "xmlTextReaderIsEmptyElement") &&
         CUECOACH_XML(next_attribute, "xmlTextReaderMoveToNextAttribute") &&
         CUECOACH_XML(node, "xmlTextReaderCurrentNode") && CUECOACH_XML(line, "xmlGetLineNo");
#undef CUECOACH_XML
}
