import { renderToString } from "react-dom/server";
import { useAuth } from "./auth.tsx";

const Lost = () => <p>{useAuth().user?.email}</p>;

export const renderOutsideAuthProvider = (): string => renderToString(<Lost />);
