export const download = (fileName: string, contentType: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: `${contentType};charset=utf-8` }));
  const link = Object.assign(document.createElement("a"), { href: address, download: fileName, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  // Browsers may read the file after this task.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

/** Downloads an attachment without leaving the page. The URL grants access without a session. */
export const saveFrom = (url: string): void => Object.assign(document.createElement("a"), { href: url, rel: "noreferrer" }).click();
