#pragma once
// libxml2 is loaded when the first XML file is read, and never linked: it brings libicu along, and the start
// of each program would take 3 ms longer (x86-64). The declarations are those of libxml/xmlreader.h.
#include <dlfcn.h>
#include <stddef.h>

typedef struct _xmlTextReader cuecoach_xml_reader;

typedef void (*cuecoach_xml_complaint)(void *context, const char *message, int severity, void *locator);

struct cuecoach_xml {
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

// Returns 0 where there is no libxml2, or one without these functions.
static inline int cuecoach_load_xml(struct cuecoach_xml *xml) {
  void *library = dlopen("libxml2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libxml2.so.16", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define CUECOACH_XML(field, symbol) (xml->field = (__typeof__(xml->field))dlsym(library, symbol))
  return CUECOACH_XML(open, "xmlReaderForMemory") && CUECOACH_XML(close, "xmlFreeTextReader") &&
         CUECOACH_XML(set_complaint, "xmlTextReaderSetErrorHandler") &&
         CUECOACH_XML(position, "xmlTextReaderGetParserLineNumber") &&
         CUECOACH_XML(read, "xmlTextReaderRead") && CUECOACH_XML(type, "xmlTextReaderNodeType") &&
         CUECOACH_XML(name, "xmlTextReaderConstName") && CUECOACH_XML(value, "xmlTextReaderConstValue") &&
         CUECOACH_XML(is_empty, "xmlTextReaderIsEmptyElement") &&
         CUECOACH_XML(next_attribute, "xmlTextReaderMoveToNextAttribute") &&
         CUECOACH_XML(node, "xmlTextReaderCurrentNode") && CUECOACH_XML(line, "xmlGetLineNo");
#undef CUECOACH_XML
}
