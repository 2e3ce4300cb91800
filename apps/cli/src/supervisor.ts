import '@bailiwick/process-supervision/supervisor';
